/** The words of mail servers, by what they say. Texts are in lower case, on one line, without addresses, links and reply codes. */

type Words = readonly RegExp[];

export const says = (patterns: Words, text: string) => patterns.some((pattern) => pattern.test(text));

/** A list that this installation's address is on; also within a link. */
export const ofBlockList: Words = [
  /\bblocked (?:using|for (?:abuse|spam))\b|\bblack ?list|\bblock ?list|\b(?:dns|deny) ?list\b|\blisted (?:at|by|on)\b|\blisted in\b(?![^.]{0,40}\b(?:directory|address book)\b)|\breputation\b/,
  /\bspamhaus\b|\bspamcop\b|\bsorbs\b|\babuseat\b|\bbarracudacentral\b|\b(?:rbl|dnsbl|uribl|surbl)\b/,
];

/** This installation: its account, its sender, its address on the network. */
export const ofGateway: Words = [
  /\brelay(?:ing|ed)?\b(?![.=[-]| recipient)/,
  /\b(?:daily|hourly|sending|outbound|e-?mail)\b[^.]{0,25}\b(?:quota|limit|rate)\b/,
  /\bthrottl|\bunusual rate\b|\btoo many (?:messages|e-?mails|recipients)\b(?! (?:on|in)\b)|\brate limit/,
  /\bnot verified\b|\bsending (?:has been |is )?(?:suspended|paused|disabled|blocked)\b/,
  /\byour (?:ip|account|server|domain|host|network)\b|\b(?:sending|client) ip\b|\bip address\b/,
  /\bsender\b[^.]{0,40}\b(?:rejected|denied|verif|not (?:allowed|owned|found|exist|valid|registered)|must\b|blocked|banned|unknown|invalid|does(?: not|n't) exist)/,
  /\b(?:unknown|non-?existent|invalid|bad|illegal|malformed) (?:\w{1,20} )?(?:sender|mail ?from|return(?:[- ]path)?|envelope)\b/,
  /\b(?:mail ?from|header from|from header|from address|return(?:[- ]path)? address|reply(?:-to)? address)\b/,
  /\bnot owned by user\b|\b(?:after|reply to) (?:end of )?(?:mail from|ehlo|helo|initial connection)\b/,
  /\bauthenticat|\bnot authori[sz]ed\b|\bunauthori[sz]ed\b/,
  /\bclient host\b|\bhelo\b|\behlo\b|\breverse dns\b|\bptr\b|\bspf\b|\bdkim\b|\bdmarc\b/,
  ...ofBlockList,
];

/** Words about the contents of the e-mail. */
export const ofContent: Words = [
  /\bspam|\bunsolicited\b|\bvirus|\bmalware\b|\bphish|\battachment|\bcontent\b|\bmessage (?:is |was )?blocked\b/,
  /\b(?:missing|invalid|no|bad|malformed) (?:\S{1,20} )?header\b|\be-?mail (?:header|format)\b/,
];

/** This e-mail, or what this recipient takes. */
export const ofMessage: Words = [...ofContent, /\brecipient address rejected\b|\bpolicy that prohibited\b/];

/** A mailbox that is there, and has no room. */
export const ofFullMailbox: Words = [
  /\b(?:mail ?box|mail ?folder|inbox|disk|storage)\b[^.]{0,40}\b(?:full|exceed)|\bfull (?:mail ?box|inbox|disk)\b|\bquota\b|\bover(?:quota|flow)/,
  /\bout of (?:storage|space|disk)|\b(?:not enough|no) (?:disk |storage )?space\b|\b(?:can't|couldn't|could not|cannot) (?:create|open|write|lock)\b/,
];

/** One that is closed, perhaps for a while. */
export const ofClosedMailbox: Words = [
  /\bdisabled\b|\binactiv|\bdeactivated\b|\bsuspended\b|\bfrozen\b|\bclosed\b/,
];

/** One that takes no more for now, or not from us. */
export const ofMailbox: Words = [
  ...ofFullMailbox,
  /\bfull\b|\bexceed|\btoo (?:large|big|many|much|long)\b|\binsufficient\b/,
  /\block(?:ed)?\b|\bblocked\b|\bon hold\b|\btemporar|\b(?:try|retry)(?: again)? (?:later|in|after)\b/,
  /\b(?:ldap|internal|database|lookup) (?:error|failure|timeout)\b|\btimed out\b/,
  /\bpreferences\b|\bpolicy\b|\brestrict|\bpermission|\bprivileges?\b|\bprohibited\b|\bnot (?:permitted|allowed)\b|\bgreylist|\bunverified\b/,
];

/** The recipient's domain: gone, or its name servers do not answer for an hour. */
export const ofDomain: Words = [
  /\bdomain\b[^.]{0,40}\b(?:not (?:be )?(?:found|exist|reach|resolv)|unknown|invalid|does(?: not|n't) (?:exist|accept|receive)|unreachable)/,
  /\bhost(?: or domain)?(?: name)?(?: (?!said\b)\S{1,80})?,? (?:is |was |could |can )?(?:not (?:be )?(?:found|reach|resolv)|unknown|unreachable|does(?: not|n't) (?:accept|receive))|\bname or service not known\b/,
  /\bunknown (?:host|domain)\b|\bno such (?:host|domain)\b|\bname ?server\b|\bname service\b|\bdns\b(?! ?;)|\bnxdomain\b|\bmx (?:or|records?|hosts?|lookup)\b|\b(?:no|null) mx\b/,
];

const mailbox =
  '(?:users?|usernames?|userid|recipients?|mail ?box(?:es)?|accounts?|e-?mail|address(?:es|ee)?|alias|inbox)';
const gone =
  "(?:unknown|not (?:be |been )?(?:found|known|recogni[sz]ed|exist|listed|present|valid|active at this)|invalid|does(?: not|n't) exist|isn't (?:valid|known)|wasn't found|doesn't have|couldn't be found|no longer (?:valid|exists?|in use|available|on|accepts?|works?|here)|has (?:moved|left)|non-?existent)";

/** There is no such mailbox, and never will be. */
export const ofAddress: Words = [
  /\bno such (?:local |e-?mail |virtual )?(?:user|person|recipient|mail ?box|address|account|alias|name)\b/,
  /\b(?:unknown|non-?existent|invalid|bad|illegal)(?: or \w{1,20})? (?:\w{1,20} ){0,2}?(?:user|userid|recipient|mail ?box|e-?mail|address|account|alias|local[ -]part)/,
  new RegExp(`\\b${mailbox}\\b[^.]{0,40}\\b${gone}\\b`),
  /\bnot (?:a |our |an )?(?:valid |known |registered |local |active )?(?:gateway )?(?:user|recipient|mail ?box|customer|address)\b/,
  /\bno (?:mail ?box|account|user|valid recipients?)\b(?: \w{1,20}){0,3} (?:by|with|for|here|found|this|that|name)\b|\bno valid recipients\b/,
  /\bnot listed in\b[^.]{0,40}\b(?:directory|address book)\b|\bhas no (?:mail ?box|account)\b/,
  /\butilisateur inconnu|\bdestinataire (?:inconnu|invalide)|\bno existe (?:dicha|ese|el) |\butente (?:sconosciuto|inesistente)|\b(?:empfänger|benutzer) (?:unbekannt|nicht gefunden)/,
];
