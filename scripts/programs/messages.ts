/** E-mails for other programs to read. */

/** Of text alone, with the headers that mail programs look for. */
export const plainText = (of: {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}): string =>
  [
    `From: ${of.from}`,
    `To: ${of.to}`,
    `Subject: ${of.subject}`,
    'Date: Wed, 4 Apr 2029 15:59:00 +1000',
    'Message-ID: <1@pitlane.example>',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    of.text,
    '',
  ].join('\n');
