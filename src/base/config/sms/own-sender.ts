/** A gateway's own sender, in the form that senders have in every country; the rules of countries are for `config check`. */
import { senderForm } from '#base/values/sms-sender-form.ts';
import { ConfigError, type Kind } from '../setting.ts';

export const ownSender: Kind<string> = {
  form: '`+61400000000`, a short code, or a name of 1 to 11 characters with a letter',
  parse(given, name) {
    if (senderForm(given) !== null) return given;
    throw new ConfigError(
      `${name}=${given} is neither a number such as +61400000000, a short code, nor a name of 1 to 11 characters with a letter`,
    );
  },
};
