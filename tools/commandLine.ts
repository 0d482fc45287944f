import { type ParseArgsConfig, parseArgs } from 'node:util';
import { withJoinedValues } from '../sdk/shared/joinedValues.ts';

/** The command line is invalid. The message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parses options and positional arguments. Throws UsageError, also for a repeated option that takes one value. */
export const parseCommandLine = <Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) => {
  const parse = () => {
    try {
      return parseArgs({
        args: withJoinedValues(args, options),
        allowPositionals: true,
        tokens: true,
        options,
      });
    } catch (error) {
      throw new UsageError(error instanceof Error ? error.message : String(error));
    }
  };
  const { tokens, ...parsed } = parse();
  const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const repeated = names.find(
    (name, index) => names.indexOf(name) < index && options[name]?.multiple !== true,
  );
  if (repeated !== undefined) throw new UsageError(`--${repeated} is repeated. It takes one value.`);
  return parsed;
};
