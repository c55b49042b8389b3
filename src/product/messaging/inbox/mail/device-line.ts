/** The line that phones and mail programs put below a text by themselves: `Sent from my iPhone`. */

const device =
  '(?:ios|iphone|ipad|ipod|android|samsung|galaxy|huawei|xiaomi|redmi|oneplus|pixel|nokia|blackberry|htc|sony|lg|motorola|windows|outlook|yahoo|proton|gmail|mail|mobile|handy|smartphone|telefon|phone|tablet|k-9|bluemail|spark|airmail|fairemail|mailbird|sparrow|zoho)';
const sent = [
  'sent (?:from|with|via|using)',
  'get outlook for',
  'gesendet (?:von|mit)',
  'von meinem',
  'diese nachricht wurde von meinem',
  'outlook für',
  'envoyé (?:de|depuis|avec|à partir)',
  'obtene[rz] outlook',
  'télécharger outlook',
  'enviado (?:desde|do|de|con|com|a partir)',
  'obter o outlook',
  'inviato (?:da|dal|con)',
  '(?:scarica|ottieni) outlook',
  'verzonden (?:vanaf|met|via)',
  'verstuurd (?:vanaf|met)',
  'outlook voor',
  'sendt fra',
  'hent outlook',
  'skickat från',
  'hämta outlook',
  'lähetetty',
  'hanki outlook',
  'wysłan[eo] (?:z|przy)',
  'pobierz (?:aplikację )?outlook',
  'odesl[aá]n[oé]',
  'odoslané',
  'získ(?:at|ejte) outlook',
  'отправлено (?:с|из)',
  'надіслано (?:з|із)',
  'изпратено от',
  'trimis de pe',
  'poslano (?:iz|z|s)',
  'elküldve',
  'küldve',
  'στάλθηκε από',
  'gửi từ',
  'được gửi từ',
  'dikirim dari',
  'ส่งจาก',
  '发自我的',
  '從我的',
  '傳送自',
  '나의',
  'أُ?رسلت من',
  'נשלח מה',
];
const forms = [
  new RegExp(`^(?:${sent.join('|')}).{0,80}${device}`, 'u'),
  new RegExp(`^(?:my |meine?m )?${device}.{0,40}(?:gesendet|gönderildi|から送信|에서 보냄|傳送|发送)`, 'u'),
];

/** Tells whether a whole line is one that a phone signs with; a sentence about an iPhone begins otherwise, or is longer. */
export function isDeviceLine(line: string): boolean {
  const bare = line.trim().toLowerCase();
  return bare.length <= 120 && forms.some((form) => form.test(bare));
}
