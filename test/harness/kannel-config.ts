/** kannel.conf for tests: as docs/gateways/kannel.md says, with ports and a carrier of the test's. */

export interface KannelPorts {
  readonly admin: number;
  readonly boxes: number;
  readonly carrier: number;
  readonly sendsms: number;
}

export interface KannelFacts {
  readonly ports: KannelPorts;
  /** For Kannel's log, its stores and its spool. */
  readonly folder: string;
  /** Of the user `pitlane`. */
  readonly password: string;
  /** Where Pitlane listens, and the token that it knows Kannel by. */
  readonly callbackUrl: string;
  readonly token: string;
  /** `fake`: Kannel's own fake SMS centre connects to it. `smpp`: it connects to an SMS centre by SMPP. */
  readonly carrier: 'fake' | 'smpp';
  /** Numbers that begin so have no route. */
  readonly deniedPrefix: string;
  /** Of smsbox's log: 0 is everything, 10 KB for each message. */
  readonly logLevel: 0 | 1;
}

const carriers = {
  fake: (port: number) => `smsc = fake
port = ${port}
connect-allow-ip = 127.0.0.1`,
  smpp: (port: number) => `smsc = smpp
host = 127.0.0.1
port = ${port}
transceiver-mode = true
smsc-username = pitlane
smsc-password = password
system-type = test
reconnect-delay = 1`,
};

export function kannelConfiguration(facts: KannelFacts): string {
  const { ports, folder, password, callbackUrl, token, carrier, deniedPrefix, logLevel } = facts;
  return `
group = core
admin-port = ${ports.admin}
admin-interface = 127.0.0.1
admin-password = ${password}
smsbox-port = ${ports.boxes}
smsbox-interface = 127.0.0.1
box-allow-ip = 127.0.0.1
log-file = ${folder}/bearerbox.log
log-level = 1
store-type = spool
store-location = ${folder}/store
dlr-storage = spool
dlr-spool = ${folder}/dlr

group = smsc
smsc-id = carrier
denied-prefix = ${deniedPrefix}
${carriers[carrier](ports.carrier)}

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${ports.sendsms}
sendsms-interface = 127.0.0.1
log-file = ${folder}/smsbox.log
log-level = ${logLevel}
access-log = ${folder}/access.log
http-request-retry = 10
http-queue-delay = 1

group = sendsms-user
username = pitlane
password = ${password}
default-sender = 61400000000
concatenation = true
max-messages = 10

group = sms-service
keyword = default
catch-all = true
max-messages = 0
get-url = "${callbackUrl}/gateways/kannel/inbound?token=${token}&id=%I&from=%p&to=%P&charset=%C&text=%b"
`;
}
