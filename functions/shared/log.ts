/** The only members a log line may have: nothing a caller sent, no credential, no content can slip in. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly trace_id?: string;
  readonly tenant_id?: string;
  readonly operation?: string;
  readonly error_name?: string;
  readonly error_stack?: string;
  readonly count?: number;
  readonly reason?: string;
}

/** Writes one JSON line. */
export const log = (line: LogLine): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/**
 * What of an error may be logged: its name and the places it passed, without its message,
 * since a message may quote the input.
 */
export const describeError = (error: unknown): Pick<LogLine, 'error_name' | 'error_stack'> => {
  if (!(error instanceof Error)) return { error_name: typeof error };
  // The stack begins with the message, and a message of several lines may look like places.
  const frames = (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  const cause = error.cause instanceof Error ? ` < ${error.cause.name}` : '';
  return { error_name: error.name + cause, error_stack: frames.slice(0, 8).join('\n') };
};
