import { parseArgs } from 'node:util';
import { probableName } from '../../../functions/platform/shared/nearestName.ts';
import { didYouMean } from '../../shared/didYouMean.ts';
import { withJoinedValues } from '../../shared/joinedValues.ts';
import { type Command, commonOptions, type Option } from './command.ts';
import { UsageError } from './faults.ts';
import { pairsOf } from './table.ts';

const PROGRAM = 'attribution';

/** The command that the first words name: two words win over one. */
export const findCommand = (
  commands: readonly Command[],
  args: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } => {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ');
    const command = commands.find((each) => each.name === name);
    if (command !== undefined && args.length >= words) return { command, rest: args.slice(words) };
  }
  const [first = ''] = args;
  const longer = commands.map(({ name }) => name).filter((name) => name.startsWith(`${first} `));
  if (longer.length > 0) throw new UsageError(`The commands of ${first} are ${longer.join(' and ')}.`);
  const names = commands.map(({ name }) => name);
  const nearest = probableName(args.slice(0, 2).join(' '), names) ?? probableName(first, names);
  throw new UsageError(`${first} is not a command.${didYouMean(nearest)} \`${PROGRAM} --help\` lists them.`);
};

/** Node's own words are about positional arguments, which most commands do not take. */
const unknownOption = (error: unknown, command: string, known: readonly string[]): string | undefined => {
  const [, name] = /^Unknown option '--?([^']+)'/.exec(error instanceof Error ? error.message : '') ?? [];
  if (name === undefined) return undefined;
  const nearest = probableName(name, known);
  return `--${name} is no option of ${command}.${didYouMean(nearest && `--${nearest}`)} \`${PROGRAM} ${command} --help\` lists them.`;
};

/** Options and the argument of a command. Throws UsageError. */
export const parseCall = ({ name, options, argument }: Command, args: readonly string[]) => {
  const known: Record<string, Option> = { ...options, ...commonOptions };
  const config = Object.fromEntries(
    Object.entries(known).map(([key, { placeholder }]) => [
      key,
      placeholder === undefined
        ? { type: 'boolean' as const }
        : // All values are read, because the parser would drop all but the last one.
          { type: 'string' as const, multiple: true },
    ]),
  );
  const parse = () => {
    try {
      return parseArgs({ args: withJoinedValues(args, config), allowPositionals: true, options: config });
    } catch (error) {
      throw new UsageError(
        unknownOption(error, name, Object.keys(known)) ??
          (error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error)),
      );
    }
  };
  const { values, positionals } = parse();
  if (values['help'] !== true) {
    if (argument === undefined && positionals.length > 0)
      throw new UsageError(
        `${name} takes no argument: ${positionals.join(' ')}. \`${PROGRAM} --help\` lists the commands.`,
      );
    if (argument !== undefined && positionals.length !== 1)
      throw new UsageError(`${name} takes one argument: ${argument.placeholder}`);
  }
  const texts = (key: string): string[] =>
    [values[key]].flat().filter((value): value is string => typeof value === 'string');
  const repeated = Object.keys(known).find((key) => known[key]?.multiple !== true && texts(key).length > 1);
  if (repeated !== undefined) throw new UsageError(`--${repeated} is repeated. It takes one value.`);
  return {
    option: (key: string) => texts(key)[0],
    options: texts,
    flag: (key: string) => values[key] === true,
    argument: positionals[0] ?? '',
  };
};

const optionLines = (options: Readonly<Record<string, Option>>): string[] =>
  pairsOf(
    Object.entries(options).map(([name, { placeholder, help, values }]) => [
      `  --${name}${placeholder === undefined ? '' : ` ${placeholder}`}`,
      `${help}${values === undefined || values.every((value) => help.includes(value)) ? '' : `. One of ${values.join(', ')}`}`,
    ]),
  );

export const helpOf = ({ name, summary, argument, options }: Command): string =>
  [
    `${summary}.`,
    '',
    `Usage: ${PROGRAM} ${name}${argument === undefined ? '' : ` ${argument.placeholder}`} [options]`,
    '',
    ...optionLines({ ...options, ...commonOptions }),
    '',
  ].join('\n');

export const helpOfAll = (commands: readonly Command[]): string =>
  [
    'Who spent what on AI inference, with evidence.',
    '',
    `Usage: ${PROGRAM} COMMAND [options]`,
    '',
    ...pairsOf(commands.map(({ name, summary }) => [`  ${name}`, summary])),
    '',
    `\`${PROGRAM} COMMAND --help\` lists the options of a command.`,
    'ATTRIBUTION_API_KEY and ATTRIBUTION_BASE_URL replace the stored login.',
    'Exit codes: 0 success, 1 failure, 2 invalid command line, 3 not logged in or not allowed, 4 no answer, 130 interrupted.',
    '',
  ].join('\n');
