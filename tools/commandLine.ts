import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The command line is invalid. The message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parses options and positional arguments. Throws UsageError. */
export const parseCommandLine = <Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) => {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};
