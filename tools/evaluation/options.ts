import { parseCommandLine, UsageError } from '../commandLine.ts';
import { PROTOCOLS, type Protocol } from './protocols.ts';

export const USAGE = `Shows what the records of a labelled trace would say if a part of its calls named no owner.

  npm run evaluate -- FILE [options]

FILE     CSV with the header t_s,category,model,client_id,input_tokens,output_tokens; t_s in seconds.
         The owner of a call is its model and client_id. The service sees the model, but not the client_id.
         An optional column cost_usd gives the money. Without it, an output token counts as four input tokens.

  --protocol NAME  which calls name no owner, and what else is known about them. Repeatable (default: all)
                   ${PROTOCOLS.map(({ name }) => name).join(', ')}
  --seed N         seed of the draws (default: 1)
  --json           print the results as one JSON object
  --help

The model is trained on past calls when the service would train, and serves as in the service. Calls before the first
training count. The exit code is 0 when the evaluation ran, even if a goal was missed.
`;

export interface Options {
  readonly file: string;
  readonly protocols: readonly Protocol[];
  readonly seed: number;
  readonly json: boolean;
}

const OPTIONS = {
  protocol: { type: 'string', multiple: true, default: [] as string[] },
  seed: { type: 'string', default: '1' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} satisfies Parameters<typeof parseCommandLine>[1];

/** Parses the command line. Returns `help` if the usage is requested. Throws UsageError. */
export const readOptions = (args: readonly string[]): Options | 'help' => {
  const { values, positionals } = parseCommandLine(args, OPTIONS);
  if (values.help) return 'help';
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError('Name the file to evaluate.');
  if (more.length > 0) throw new UsageError('Only one file can be evaluated at a time.');
  if (!/^\d{1,9}$/.test(values.seed))
    throw new UsageError('--seed must be a whole number of at most nine digits.');
  const unknown = values.protocol.find((name) => !PROTOCOLS.some((protocol) => protocol.name === name));
  if (unknown !== undefined) throw new UsageError(`--protocol ${unknown} is unknown.`);
  const protocols = PROTOCOLS.filter(
    ({ name }) => values.protocol.length === 0 || values.protocol.includes(name),
  );
  return { file, protocols, seed: Number(values.seed), json: values.json };
};
