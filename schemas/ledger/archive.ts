/** The message of the log line for each day that is not in the archive in time. An alarm counts these lines. */
export const NOT_CLOSED = 'day not closed';
