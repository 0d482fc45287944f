import { parseCommandLine, UsageError } from '../commandLine.ts';

export const USAGE = `Compares the trained model with the heuristic on a labelled trace, with the same training schedule as the service.

  npm run evaluate -- FILE [options]

FILE     CSV with the header t_s,category,model,client_id,input_tokens,output_tokens; t_s in seconds.
         The label of a call is its model and client_id. The predictors see the model, but not the client_id.

  --svg DIR    write a reliability diagram of each protocol to this directory
  --seed N     seed of the draw of labelled calls (default: 1)
  --json       print the results as one JSON object
  --help

Four protocols withhold labels in different ways. In each, the model is trained on past calls when the service would train,
and predicts every unlabelled call until the next training. Only these predictions are scored: as trained, with every
model, and as served, with what the publication gate lets through and the confidence that records show. The exit code is 0
when the evaluation ran, even if a goal was missed.
`;

export interface Options {
  readonly file: string;
  readonly svg: string | undefined;
  readonly seed: number;
  readonly json: boolean;
}

const OPTIONS = {
  svg: { type: 'string' },
  seed: { type: 'string', default: '1' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

/** Parses the command line. Returns `help` if the usage is requested. Throws UsageError. */
export const readOptions = (args: readonly string[]): Options | 'help' => {
  const { values, positionals } = parseCommandLine(args, OPTIONS);
  if (values.help) return 'help';
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError('Name the file to evaluate.');
  if (more.length > 0) throw new UsageError('Only one file can be evaluated at a time.');
  if (!/^\d{1,9}$/.test(values.seed))
    throw new UsageError('--seed must be a whole number of at most nine digits.');
  return { file, svg: values.svg, seed: Number(values.seed), json: values.json };
};
