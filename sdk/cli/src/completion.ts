import { type Command, commonOptions, type Option } from './command.ts';

const PROGRAM = 'attribution';
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

const optionsOf = ({ options }: Command): [name: string, option: Option][] =>
  Object.entries({ ...options, ...commonOptions });

/** The second words after a first word, for commands of two words. */
const secondWords = (commands: readonly Command[], first: string): string[] =>
  commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));

const firstWords = (commands: readonly Command[]): string[] => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name)),
];

/** Fixed values of options, as `case` branches over the word before the cursor. */
const valueBranches = ({ options }: Command): string =>
  Object.entries(options)
    .flatMap(([name, { values }]) =>
      values === undefined ? [] : [`      --${name}) words="${values.join(' ')}" ;;`],
    )
    .join('\n');

const bash = (commands: readonly Command[]): string => {
  const branches = commands.map((command) => {
    const names = optionsOf(command).map(([name]) => `--${name}`);
    const words = [...names, ...secondWords(commands, command.name), ...(command.argument?.values ?? [])];
    return `    "${command.name}")
      words="${words.join(' ')}"
      case "$previous" in
${valueBranches(command)}
      esac ;;`;
  });
  const pairs = commands.filter(({ name }) => name.includes(' ')).map(({ name }) => `"${name}"`);
  const parents = firstWords(commands).filter((word) => secondWords(commands, word).length > 0);
  const onlyParents = parents.filter((word) => !commands.some(({ name }) => name === word));
  return `_${PROGRAM}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words command list
  command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in ${pairs.join('|')}) command="\${COMP_WORDS[1]} \${COMP_WORDS[2]}" ;; esac
  fi
  [ "$COMP_CWORD" -eq 1 ] && command=""
  case "$command" in
    "") words="${firstWords(commands).join(' ')}" ;;
${onlyParents.map((word) => `    "${word}") words="${secondWords(commands, word).join(' ')}" ;;`).join('\n')}
${branches.join('\n')}
  esac
  # Options such as --group-by take several values between commas.
  case "$current" in *,*) list="\${current%,*}," ;; esac
  COMPREPLY=($(compgen -P "$list" -W "$words" -- "\${current##*,}"))
}
complete -o default -F _${PROGRAM} ${PROGRAM}
`;
};

/** zsh runs the functions of bash, once its own completion is on. A zsh without a configuration file starts with it off. */
const zsh = (commands: readonly Command[]): string => `#compdef ${PROGRAM}
(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

const fish = (commands: readonly Command[]): string => {
  const lines = [`complete -c ${PROGRAM} -f`];
  for (const word of firstWords(commands)) {
    const summary = commands.find(({ name }) => name === word)?.summary ?? '';
    lines.push(`complete -c ${PROGRAM} -n __fish_use_subcommand -a ${word} -d ${quoted(summary)}`);
    const condition = quoted(`__fish_seen_subcommand_from ${word}`);
    for (const second of secondWords(commands, word))
      lines.push(`complete -c ${PROGRAM} -n ${condition} -a ${second}`);
    for (const command of commands.filter(({ name }) => name.split(' ')[0] === word)) {
      if (command.argument?.values !== undefined)
        lines.push(`complete -c ${PROGRAM} -n ${condition} -a ${quoted(command.argument.values.join(' '))}`);
      for (const [name, { help, placeholder, values }] of optionsOf(command)) {
        const value = placeholder === undefined ? '' : values ? ` -x -a ${quoted(values.join(' '))}` : ' -r';
        lines.push(`complete -c ${PROGRAM} -n ${condition} -l ${name}${value} -d ${quoted(help)}`);
      }
    }
  }
  return `${[...new Set(lines)].join('\n')}\n`;
};

/** A script that completes commands, options and their fixed values. */
export const completionScript = (shell: Shell, commands: readonly Command[]): string =>
  ({ bash, zsh, fish })[shell](commands);
