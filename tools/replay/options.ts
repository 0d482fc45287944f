import { Timestamp } from '../../schemas/values.ts';
import { parseCommandLine, UsageError } from '../commandLine.ts';

export const USAGE = `Sends the calls of a trace to a running instance, and reports the result of every row.

  npm run replay -- FILE [options]

FILE     CSV with the header TIMESTAMP,ContextTokens,GeneratedTokens (Azure LLM traces) or
         timestamp,input_tokens,output_tokens; or JSON Lines of invocation events or of a Mooncake trace.

  --base-url URL     base URL of the service (default: the running instance)
  --api-key KEY      API key with ingest:write (default: the key of the running instance)
  --data-dir DIR     directory of the credentials.json of the instance (default: .local)
  --speed N|max      N times real time, or as fast as the service accepts (default: max)
  --anchor TIME      shift all times so that the last row has this time (RFC 3339)
                     default: recent times stay, others end at the start of today (UTC)
  --provider P       provider (default: azure)
  --model M          model (default: gpt-4o)
  --service S        attributed service (default: the name of the file)
  --identity I       attributed identity (default: none)
                     For invocation events, these four options override the row. They have no default then.
  --limit N          replay only the first N rows
  --json             print the report as one JSON object
  --help

Event ids are derived from the content of the file and the row number. Replaying a file again adds no records, with any
options. Ctrl-C ends the replay and prints the report so far. The exit code is 0 only if every row was accepted and is
visible.
`;

export interface Options {
  readonly file: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly dataDir: string;
  readonly speed: number | 'max';
  readonly anchor: number | undefined;
  readonly limit: number | undefined;
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly service: string | undefined;
  readonly identity: string | undefined;
  readonly json: boolean;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

const OPTIONS = {
  'base-url': text,
  'api-key': text,
  'data-dir': { ...text, default: '.local' },
  speed: { ...text, default: 'max' },
  anchor: text,
  limit: text,
  provider: text,
  model: text,
  service: text,
  identity: text,
  json: flag,
  help: { ...flag, short: 'h' },
} as const;

const parseSpeed = (given: string): number | 'max' => {
  if (given === 'max') return 'max';
  const speed = Number(given);
  if (/^\d*\.?\d+$/.test(given) && speed > 0) return speed;
  throw new UsageError('--speed must be a number above 0, or max.');
};

const parseAnchor = (given: string): number => {
  const anchor = Timestamp.safeParse(given);
  if (anchor.success) return Date.parse(anchor.data);
  throw new UsageError('--anchor must be an RFC 3339 time such as 2026-03-01T00:00:00Z.');
};

const parseLimit = (given: string): number => {
  if (/^[1-9]\d{0,14}$/.test(given)) return Number(given);
  throw new UsageError('--limit must be a whole number of at least 1.');
};

const parseUrl = (given: string): string => {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given;
  throw new UsageError('--base-url must be an http or https URL.');
};

const mapOptional = <Value>(given: string | undefined, read: (text: string) => Value): Value | undefined =>
  given === undefined ? undefined : read(given);

/** Parses the command line. Returns `help` if the usage is requested. Throws UsageError. */
export const readOptions = (args: readonly string[]): Options | 'help' => {
  const { values, positionals } = parseCommandLine(args, OPTIONS);
  if (values.help) return 'help';
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError('Name the file to replay.');
  if (more.length > 0) throw new UsageError('Only one file can be replayed at a time.');
  const { provider, model, service, identity, json } = values;
  return {
    file,
    baseUrl: mapOptional(values['base-url'], parseUrl),
    apiKey: values['api-key'],
    dataDir: values['data-dir'],
    speed: parseSpeed(values.speed),
    anchor: mapOptional(values.anchor, parseAnchor),
    limit: mapOptional(values.limit, parseLimit),
    provider,
    model,
    service,
    identity,
    json,
  };
};
