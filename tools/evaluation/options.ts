import { parseArgs } from 'node:util';

export const USAGE = `Measures trained inference against the heuristic on a labelled trace, as the service would run it.

  npm run evaluate -- FILE [options]

FILE     CSV with the header t_s,category,model,client_id,input_tokens,output_tokens; t_s in seconds.
         Who made a call is its model with its client_id. Neither is told to the predictors, only the model.

  --svg DIR    write a reliability diagram of each protocol there
  --seed N     draws which calls are labelled          default: 1
  --json       print the figures as one JSON object
  --help

Labels are withheld in four ways. In each, a model is trained again and again on what lies behind, and predicts every
unlabelled call until the next training; only these predictions are scored. Exit code 0 when the evaluation was made,
whether or not the goals were met.
`;

export interface Options {
  readonly file: string;
  readonly svg: string | undefined;
  readonly seed: number;
  readonly json: boolean;
}

/** The command line cannot be understood; the message tells why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const parseArguments = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        svg: { type: 'string' },
        seed: { type: 'string', default: '1' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

/** Reads the arguments of the command; `help` where the usage is asked for. Throws UsageError. */
export const readOptions = (args: readonly string[]): Options | 'help' => {
  const { values, positionals } = parseArguments(args);
  if (values.help) return 'help';
  const [file, ...more] = positionals;
  if (file === undefined) throw new UsageError('Name the file to evaluate.');
  if (more.length > 0) throw new UsageError('Only one file can be evaluated at a time.');
  if (!/^\d{1,9}$/.test(values.seed))
    throw new UsageError('--seed takes a whole number of at most nine digits.');
  return { file, svg: values.svg, seed: Number(values.seed), json: values.json };
};
