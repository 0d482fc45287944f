/** The only members of a log line. The closed list keeps input, credentials and content out of the log. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly trace_id?: string;
  readonly tenant_id?: string;
  readonly operation?: string;
  readonly job_id?: string;
  readonly error_name?: string;
  readonly error_stack?: string;
  readonly count?: number;
  readonly reason?: string;
  /** A UTC day, such as `2026-03-15`. */
  readonly day?: string;
  /** The start of a UTC hour. */
  readonly hour?: string;
  /** A queue, and how long the oldest unfinished message has been in it. */
  readonly queue?: string;
  readonly age_seconds?: number;
  readonly receives?: number;
  readonly dependency?: string;
}

/** Writes one JSON line. */
export const log = (line: LogLine): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/**
 * The parts of an error that may be logged: its name and stack frames. The message is left out, because it may quote
 * input.
 */
export const describeError = (error: unknown): Pick<LogLine, 'error_name' | 'error_stack'> => {
  if (!(error instanceof Error)) return { error_name: typeof error };
  // The stack starts with the message. Lines of a multi-line message could look like stack frames.
  const frames = (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  const cause = error.cause instanceof Error ? ` < ${error.cause.name}` : '';
  return { error_name: error.name + cause, error_stack: frames.slice(0, 8).join('\n') };
};
