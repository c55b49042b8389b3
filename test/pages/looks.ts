/** A page in each way that people look at it: desk and phone, in the dark, in forced colours. */
import type { Page } from 'playwright-core';
import { assertAccessible, colourRules, picture, weight } from './customer.ts';

/** Bytes of CSS and scripts that a first visit may cost. */
const heaviest = 60 * 1_024;

/**
 * What is wrong with the page that is open: what axe finds at the size it has, in dark and in forced colours, and at the given widths
 * (px), and whether it is too heavy. Each look is a picture too, by `name`. Empty when all is well.
 */
export async function faultsOfLooks(page: Page, name: string, widths = [375, 320]): Promise<string[]> {
  const faults: string[] = [];
  const look = async (how: string, rules?: readonly string[]) => {
    await picture(page, `${name}-${how}`);
    await assertAccessible(page, rules).catch(({ message }: Error) =>
      faults.push(`${name}, ${how}: ${message.split('\n+ actual')[0]}`),
    );
  };
  await look('1280');
  await page.emulateMedia({ colorScheme: 'dark' });
  await look('dark', colourRules);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  await look('forced', colourRules);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 740 });
    await look(String(width));
  }
  const bytes = await page.evaluate<number>(weight);
  if (bytes < 1_000 || bytes > heaviest) faults.push(`${name}: ${bytes} bytes of CSS and JavaScript`);
  return faults;
}
