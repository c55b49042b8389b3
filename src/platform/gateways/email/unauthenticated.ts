/** Refusals of mailbox providers that are about all e-mails of this installation: its domain lacks SPF, DKIM or DMARC. */

/** Gmail's codes (5.7.26: neither, 5.7.27: SPF, 5.7.30: DKIM) and that of Outlook.com (5.7.515). */
const codes = /(?<![\d.])5\.7\.(?:26|27|30|515)(?!\.?\d)/;

/** Whether a reply or a bounce says it; looks at the first thousand characters. */
export const saysUnauthenticated = (text: string): boolean => codes.test(text.slice(0, 1_000));
