/** The parts of committed pages about settings, made from src/base/config/settings.ts. */
import { namesOf, type Setting } from '#base/config/setting.ts';
import { settingGroups } from '#base/config/settings.ts';

const width = 120;
const head = `# Every setting of Pitlane, with its default. All are optional, but what the gateways in use must have.
# Copy this file to .env, and change it: Pitlane reads .env from the folder in which it is started. A variable of the
# environment wins over it. Made from src/config by "npm run mirrors".
`;
const marks = {
  begin: '<!-- Settings: made from src/config by `npm run mirrors` -->',
  end: '<!-- End of the settings -->',
};

/** Links and code of Markdown, as plain text. */
function plain(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
}

/** Comment lines of at most 120 characters. */
function comment(text: string): string {
  const lines = ['#'];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= width) lines[lines.length - 1] = line;
    else lines.push(`# ${word}`);
  }
  return lines.join('\n');
}

function example({ example: shown, default: usual = '', ...setting }: Setting<unknown>): string {
  return namesOf(setting)
    .map((name, index) => `#${name}=${index === 0 ? (shown ?? usual) : ''}`)
    .join('\n');
}

/** `.env.example` */
export function exampleFile(): string {
  const groups = Object.entries(settingGroups).map(([title, settings]) => {
    const entries = Object.values(settings).map(
      (setting) =>
        `${comment(`${plain(setting.help)} Form: ${plain(setting.kind.form)}.`)}\n${example(setting)}\n`,
    );
    return [`# ${title} ${'-'.repeat(width - title.length - 3)}\n`, ...entries].join('\n');
  });
  return [head, ...groups].join('\n');
}

function whenAbsent({ unset, default: usual, required }: Setting<unknown>): string {
  if (unset !== undefined) return unset;
  if (required !== undefined) return 'must be set';
  return usual ? `\`${usual}\`` : 'none';
}

function rows(setting: Setting<unknown>): string[] {
  const [name, ...files] = namesOf(setting);
  return [
    `| \`${name}\` | ${whenAbsent(setting)} | ${setting.kind.form} | ${setting.help} |`,
    ...files.map((file) => `| \`${file}\` | none | a file | Or the file that it is in. |`),
  ];
}

function tables(): string {
  return Object.entries(settingGroups)
    .map(([title, settings]) => {
      const lines = Object.values(settings).flatMap(rows);
      return [
        `**${title}**`,
        '',
        '| Variable | Default | Form | Meaning |',
        '|---|---|---|---|',
        ...lines,
      ].join('\n');
    })
    .join('\n\n');
}

/** docs/operations/settings.md with its tables of settings made again. Throws when the page lacks a place for them. */
export function withSettings(page: string): string {
  const [before, rest] = page.split(`${marks.begin}\n`);
  const after = rest?.split(marks.end)[1];
  if (before === undefined || after === undefined)
    throw new Error('docs/operations/settings.md has no place for the settings');
  return `${before}${marks.begin}\n\n${tables()}\n\n${marks.end}${after}`;
}
