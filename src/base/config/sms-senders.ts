/** Settings of what is known of senders: which hear no answers, what an answer costs, which names are registered. */
import { type SmsGatewayName, smsGatewayNames } from '#base/values/sms-gateways.ts';
import { senderForm } from '#base/values/sms-sender-form.ts';
import { entriesOf } from './kinds.ts';
import { ConfigError, type Environment, type Kind, read, setting, type Values } from './setting.ts';

const gatewayOf = (entry: string) => smsGatewayNames.find((name) => name === entry);

const gateways: Kind<readonly SmsGatewayName[]> = {
  form: smsGatewayNames.map((name) => `\`${name}\``).join(', '),
  parse: (given, name) =>
    entriesOf(given).map((entry) => {
      const known = gatewayOf(entry);
      if (known !== undefined) return known;
      throw new ConfigError(`${name} names ${entry}, which is not one of: ${smsGatewayNames.join(', ')}`);
    }),
};

/** Each entry is one of these forms; `gateways`: or the name of a gateway. */
function senders(form: string, forms: readonly string[], gateways: boolean): Kind<readonly string[]> {
  return {
    form,
    parse: (given, name) =>
      entriesOf(given).map((entry) => {
        if (forms.includes(senderForm(entry) ?? '') || (gateways && gatewayOf(entry) !== undefined))
          return entry;
        throw new ConfigError(`${name}: ${entry} is not one of: ${form.replaceAll('`', '')}`);
      }),
  };
}

export const smsSenderSettings = {
  smsOneWay: setting(
    'PITLANE_SMS_ONE_WAY',
    senders('numbers such as `+61400000000`, short codes, gateways', ['number', 'shortCode'], true),
    {
      default: '',
      help: 'Senders to which an answer does not come here, beside names: a number that is another phone’s, and a gateway whose own sender is a name or such a number. Reminders and campaigns from them carry a link to stop them. [The way out](messages.md#the-way-out).',
    },
  ),
  smsFreeReplies: setting('PITLANE_SMS_FREE_REPLIES', senders('short codes', ['shortCode'], false), {
    default: '',
    help: 'Short codes to which an answer costs nothing. From others, reminders and campaigns say what an answer costs where [the country](messages.md#texts-and-senders-of-sms) asks for that.',
  }),
  smsNamesRegistered: setting('PITLANE_SMS_NAMES_REGISTERED', gateways, {
    default: '',
    help: 'Gateways with which their own sender, a name, is registered for the countries that it is sent to. [Sending for others](messages.md#sending-for-others).',
  }),
};

export type SmsSenderRules = Values<typeof smsSenderSettings>;

/** Throws ConfigError. */
export function readSmsSenders(env: Environment): SmsSenderRules {
  return read(env, smsSenderSettings);
}
