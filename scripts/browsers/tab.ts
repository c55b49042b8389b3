/** A tab of a real browser, as a person uses it: what is clicked and typed goes through the browser's own input. */
import { until } from '../../test/harness/wait.ts';

/** What each browser's driver does; elements are the driver's own. */
export interface Driver<Element = unknown> {
  readonly name: string;
  readonly version: string;
  open(url: string): Promise<void>;
  /** The value of an expression in the page, which has to be JSON. */
  value(expression: string): Promise<unknown>;
  /** The elements that people see, in the page's order. */
  seen(xpath: string): Promise<readonly Element[]>;
  click(element: Element): Promise<void>;
  /** Types over what stands in the field. */
  type(element: Element, text: string): Promise<void>;
  close(): Promise<void>;
}

export interface Tab {
  readonly name: string;
  readonly version: string;
  open(url: string): Promise<void>;
  /** Waits for it. */
  see(xpath: string): Promise<void>;
  click(xpath: string): Promise<void>;
  fill(xpath: string, text: string): Promise<void>;
  value(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

const text = (words: string) => `normalize-space()="${words}"`;
const begins = (words: string) => `starts-with(normalize-space(),"${words}")`;
export const button = (name: string) => `//button[${begins(name)}]`;
export const link = (words: string) =>
  `//a[contains(normalize-space(),"${words}") or @aria-label="${words}"]`;
export const classed = (name: string) => `//*[contains(concat(" ",@class," ")," ${name} ")]`;
export const heading = (words: string) => `//*[self::h1 or self::h2][${text(words)}]`;
export const field = (label: string) => `//*[@id=//label[${begins(label)}]/@for]`;
export const says = (words: string) => `//*[not(self::script)][text()[contains(.,"${words}")]]`;

export function tabOf<Element>(driver: Driver<Element>): Tab {
  /** A page may be replaced between finding and using: then it is looked for again. */
  async function use(xpath: string, what: (element: Element) => Promise<void>): Promise<void> {
    let fault = '';
    await until(
      () => `${driver.name} shows ${xpath}: ${fault}`,
      async () => {
        try {
          const [element] = await driver.seen(xpath);
          if (element === undefined) return false;
          await what(element);
          return true;
        } catch (error) {
          fault = String(error);
          return false;
        }
      },
    );
  }
  const { name, version } = driver;
  return {
    ...{ name, version },
    open: (url) => driver.open(url),
    value: (expression) => driver.value(expression),
    close: () => driver.close(),
    see: (xpath) => use(xpath, async () => undefined),
    click: (xpath) => use(xpath, (element) => driver.click(element)),
    fill: (xpath, words) => use(xpath, (element) => driver.type(element, words)),
  };
}
