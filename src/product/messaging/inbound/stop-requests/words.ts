/** The words by which requests to stop are recognised, in the form in which texts are read. */

/**
 * Small letters without accents and apostrophes, so that `Don’t` and `ARRÊT` are `dont` and `arret`. Accents that stand apart go first:
 * normalising sorts those of a letter, in time that grows with the square of their number.
 */
export const plain = (text: string): string =>
  text
    .replace(/\p{M}/gu, '')
    .normalize('NFKC')
    .normalize('NFD')
    .replace(/[\p{M}\p{Cf}'’‘`´]/gu, '')
    .toLowerCase();

export const wordsIn = (text: string): string[] =>
  text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
const set = (words: string): ReadonlySet<string> => new Set(wordsIn(plain(words)));
const phrases = (list: readonly string[]): ReadonlySet<string> =>
  new Set(list.map((phrase) => wordsIn(plain(phrase)).join(' ')));

/** At the beginning or the end of a request they say nothing. */
export const courtesies = set(
  `please pls plz thanks thank thx you now hi hello hey just ok okay kindly immediately asap mate ta cheers guys all already
   bitte danke svp merci favor por gracias grazie`,
);

/** A whole sentence. */
export const sentences = phrases([
  ...[
    'stop',
    'stopp',
    'stoppp',
    'stpo',
    'sotp',
    'stop it',
    'stop this',
    'stop that',
    'stop these',
    'stop stop',
  ],
  ...['stop to end', 'stop to opt out', 'stop to quit', 'stop 2 end', 'stop 2 opt out', 'no spam'],
  ...['dont want these', 'do not want these', 'i dont want these', 'i do not want these', 'i do not consent'],
  ...['end texts', 'end text', 'end messages', 'end all', 'end all texts', 'end sms', 'cancel text'],
  ...['reply stop', 'text stop', 'send stop', 'stop no'],
  ...['stop sending', 'quit it', 'cease', 'cease and desist', 'desist', 'no more', 'enough', 'go away'],
  ...[
    'remove',
    'remove me',
    'remove us',
    'remove number',
    'delete',
    'delete me',
    'unsub',
    'optout',
    'opt out',
  ],
  ...[
    'no texts',
    'no text',
    'no sms',
    'no messages',
    'no marketing',
    'no contact',
    'dont text',
    'do not text',
  ],
  ...[
    'arret',
    'arreter',
    'arrete',
    'arretez',
    'désabonner',
    'désabonnement',
    'me désabonner',
    'désabonnez moi',
  ],
  ...['désinscrire', 'désinscription', 'me désinscrire', 'plus de sms', 'plus de messages', 'plus de textos'],
  ...[
    'baja',
    'dar de baja',
    'darme de baja',
    'parar',
    'pare',
    'paren',
    'detener',
    'detengan',
    'no mas',
    'basta',
  ],
  ...['sair', 'remover', 'descadastrar', 'disiscrivi', 'disiscrivimi', 'cancellami'],
  ...['abmelden', 'abmeldung', 'abbestellen', 'austragen', 'stoppen', 'afmelden', 'uitschrijven'],
  ...[
    'avsluta',
    'avregistrera',
    'afmeld',
    'avmeld',
    'стоп',
    'отписаться',
    '停止',
    '停',
    '退订',
    '退訂',
    'td',
  ],
  ...['取消订阅', '수신거부', 'توقف', 'إيقاف', 'הסר', 'הסרה'],
]);

/** Anywhere, words in a row. */
export const anywhere = [
  ...['leave me alone', 'leave us alone', 'lose my number', 'off your list', 'off ur list', 'off this list'],
  ...['remove from list', 'remove from your list', 'remove from this list', 'take off list'],
  ...['dont send me anything', 'do not send me anything', 'dont send any more', 'do not send any more'],
  ...['turn off notifications', 'turn off these texts', 'why are you still texting me'],
  ...[
    'revoke consent',
    'revoke my consent',
    'withdraw consent',
    'withdraw my consent',
    'withdraw all consent',
  ],
  ...['ne plus recevoir', 'arretez de m', 'arretez de menvoyer', 'arrete de menvoyer', 'ne menvoyez plus'],
  ...[
    'no me envien',
    'no me manden',
    'dejen de enviar',
    'dejen de mandar',
    'no quiero mas mensajes',
    'no mas mensajes',
  ],
  ...['keine sms mehr', 'keine nachrichten mehr', 'keine weiteren sms', 'keine weiteren nachrichten'],
].map((phrase) => wordsIn(plain(phrase)));

export const texts = set(
  'text texts txt txts sms smses message messages msg msgs marketing spam promo promos promotions reminders notifications',
);
export const severalTexts = set(
  'texts txts sms smses messages msgs marketing spam promos promotions reminders notifications alerts subscription subscriptions',
);
export const texting = set(
  'texting txting messaging contacting spamming harassing bothering pestering hassling bugging',
);
export const contacting = set('text txt sms message msg contact');
export const between = set(
  `sending sent to with me us all any of the these those this that your ur my more further future getting receiving get receive please pls
   from you u unwanted annoying automated auto marketing promotional promo spam text sms anymore`,
);
/** "Wrong number please stop", "not interested stop": what stands before the word at the end of a request, where nothing else does. */
export const beforeStop = set('please pls plz thanks interested number said asked');
/** Communication of any kind. */
export const communication = set('contact communication communications correspondence');
export const stopping = set('stop quit cease discontinue halt');
/** As people write it, too. */
export const unsubscribe = set(
  `unsub unsubs unsubscribe unsubscribed unsubscribes unsubscribing unsubcribe unsubcribed unsuscribe unsuscribed unsubscibe unsubsribe
   unsubscrib unsubscrbe`,
);
export const wishing = set('want wish need like send');
export const negated = set('not never didnt dont havent hasnt');
export const ofAList = set(
  'list lists database system texts text txt sms messages messaging marketing mailing contacts records subscription spam everything',
);
/** Lists of a workshop that are no list of texts. */
export const otherLists = set('waiting wait courtesy booking bookings cancellation standby loan');
/** A car says and shows things too. */
export const aboutCars = set(
  'dash dashboard screen display light lights radio bluetooth alarm speaker speakers stereo',
);
/** "STOP by at five", "STOP the work". */
export const afterStop = set(
  'by in at on the over for off working work sign signs light lights it this that my our',
);
