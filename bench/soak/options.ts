import { parseCommandLine, UsageError } from '../../tools/commandLine.ts';
import { type FaultName, faultNames } from './faults.ts';

export const USAGE = `Usage: npm run soak -- [options]

Sends a mix of calls and changes while the service is disturbed, keeps a journal of what was accepted, and compares the service
with it at the end. Exits with 1 when an invariant does not hold.

  --minutes N        length of the load (default: 2)
  --rate N           requests a second (default: 5)
  --seed TEXT        the same requests and faults (default: the time)
  --faults LIST      of ${faultNames.join(', ')}, or none (default: all)
  --journal FILE     where the journal is written (default: beside the data directory)
  --base-url URL     a deployed service. It is not disturbed, and no webhook is registered
  --api-key KEY      the key of an administrator of an empty tenant there
  --help             print this text
`;

export interface SoakOptions {
  readonly minutes: number;
  readonly rate: number;
  readonly seed: string;
  readonly faults: readonly FaultName[];
  readonly journal: string | undefined;
  /** Null: a local service that this command starts. */
  readonly deployed: { readonly baseUrl: string; readonly apiKey: string } | null;
}

const positive = (name: string, text: string): number => {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new UsageError(`--${name} must be a positive number.`);
  return value;
};

const isFault = (name: string): name is FaultName => (faultNames as readonly string[]).includes(name);

export const readSoakOptions = (args: readonly string[], now: number): SoakOptions | 'help' => {
  const { values, positionals } = parseCommandLine(args, {
    minutes: { type: 'string', default: '2' },
    rate: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(now) },
    faults: { type: 'string', default: faultNames.join(',') },
    journal: { type: 'string' },
    'base-url': { type: 'string' },
    'api-key': { type: 'string' },
    help: { type: 'boolean', default: false },
  });
  if (values.help) return 'help';
  if (positionals.length > 0) throw new UsageError(`${positionals[0]} is not an option.`);
  const { 'base-url': baseUrl, 'api-key': apiKey } = values;
  if ((baseUrl === undefined) !== (apiKey === undefined)) {
    throw new UsageError('--base-url and --api-key belong together.');
  }
  const names = values.faults === 'none' ? [] : values.faults.split(',');
  const unknown = names.find((name) => !isFault(name));
  if (unknown !== undefined) throw new UsageError(`There is no fault ${unknown}.`);
  return {
    minutes: positive('minutes', values.minutes),
    rate: positive('rate', values.rate),
    seed: values.seed,
    faults: names.filter(isFault),
    journal: values.journal,
    deployed: baseUrl === undefined || apiKey === undefined ? null : { baseUrl, apiKey },
  };
};
