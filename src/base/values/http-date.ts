/** Reads HTTP's dates: the form that is sent today, and the two old ones that a recipient must still accept (RFC 9110, 5.6.7). */

const time = String.raw`\d{2}:\d{2}:\d{2}`;
const [day, month] = [
  '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)',
  '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)',
];
const longDay = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const withZone = new RegExp(
  String.raw`^(?:${day}, \d{2} ${month} \d{4}|${longDay}, \d{2}-${month}-\d{2}) ${time} GMT$`,
);
const withoutZone = new RegExp(String.raw`^${day} ${month} [ \d]\d ${time} \d{4}$`);

/** Milliseconds since 1970; NaN for any other text. */
export function httpDateMs(text: string): number {
  if (withZone.test(text)) return Date.parse(text);
  return withoutZone.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
