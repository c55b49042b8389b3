/** A QR code as an inline picture: the browser loads nothing for it. */
import { html, type SafeHtml } from '@remix-run/html-template';

/**
 * The library is loaded when the first code is drawn. Codes are black on white in dark mode too, since cameras read nothing else.
 */
export async function qrCode(text: string): Promise<SafeHtml> {
  const { encode } = await import('uqr');
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" role="img" aria-label="For your phone to scan: the key below" viewBox="0 0 ${size} ${size}"><path d="${dark.join('')}"/></svg>`;
}
