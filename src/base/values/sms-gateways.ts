/** The SMS gateways that can be configured, by the names that settings, workshops and paths use. */
export const smsGatewayNames = ['kannel', 'smpp', 'twilio', 'messagemedia', 'clicksend'] as const;
export type SmsGatewayName = (typeof smsGatewayNames)[number];
