import type { Json, LocalCall } from './localCall.ts';

/** Reads the calls from the lines of session files, which come file by file. */
export type SessionReader = (now: number) => {
  /** Whether a line can tell of a call. All others hold content and are not parsed. */
  readonly isRead: (text: string) => boolean;
  /** Takes a line of a file. True if it repeats what another line told. */
  readonly take: (entry: Json, file: string) => boolean;
  readonly finish: () => LocalCall[];
};
