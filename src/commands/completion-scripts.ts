/** The scripts of `pitlane completion`, one for each shell. They run nothing: they contain all completions. */
import type { CompletionPoint } from './completion.ts';

/** In single quotes, as all three shells read them. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const wordsOf = ({ commands, options }: CompletionPoint) => [...commands, ...options].map(({ word }) => word);

/** Follows the words before the cursor down the tree of commands; bash and zsh both understand it. */
const walk = (places: readonly CompletionPoint[], words: string, last: string, first: number) => `
  local at='' word i
  for ((i = ${first}; i < ${last}; i++)); do
    word="\${${words}[i]}"
    case "\${at:+$at }$word" in
      ${places
        .filter(({ path }) => path !== '')
        .map(({ path }) => quoted(path))
        .join('|')}) at="\${at:+$at }$word" ;;
    esac
  done`;

function bash(places: readonly CompletionPoint[]): string {
  return `# bash completion of pitlane
_pitlane() {${walk(places, 'COMP_WORDS', 'COMP_CWORD', 1)}
  local words=''
  case "$at" in
${places.map((place) => `    ${quoted(place.path)}) words=${quoted(wordsOf(place).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")) || COMPREPLY=()
}
complete -o default -F _pitlane pitlane
`;
}

function zsh(places: readonly CompletionPoint[]): string {
  const described = ({ commands, options }: CompletionPoint) =>
    [...commands, ...options].map(({ word, summary }) => quoted(`${word}:${summary}`)).join(' ');
  return `#compdef pitlane
_pitlane() {${walk(places, 'words', 'CURRENT', 2)}
  local -a offers
  case "$at" in
${places.map((place) => `    ${quoted(place.path)}) offers=(${described(place)}) ;;`).join('\n')}
  esac
  _describe 'pitlane' offers || _files
}
compdef _pitlane pitlane
`;
}

function fish(places: readonly CompletionPoint[]): string {
  const lines = places.flatMap(({ path, commands, options }) => {
    const here = `-n ${quoted(`test (__pitlane_path) = "${path}"`)}`;
    return [
      ...commands.map(
        ({ word, summary }) => `complete -c pitlane -f ${here} -a ${word} -d ${quoted(summary)}`,
      ),
      ...options.map(
        ({ word, summary, takesValue }) =>
          `complete -c pitlane ${here} -l ${word.replace(/^--/, '')}${takesValue ? ' -r' : ''} -d ${quoted(summary)}`,
      ),
    ];
  });
  const paths = places.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join(' ');
  return `# fish completion of pitlane
function __pitlane_path
  set -l path
  for word in (commandline -opc)[2..]
    if contains -- (string join ' ' $path $word) ${paths}
      set -a path $word
    end
  end
  echo "$path"
end
${lines.join('\n')}
`;
}

export const shells = { bash, zsh, fish };
export type Shell = keyof typeof shells;
