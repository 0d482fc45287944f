import type { Client } from '../../typescript/src/index.ts';
import type { Terminal } from './terminal.ts';

export interface Option {
  readonly help: string;
  /** Without a placeholder, the option is a flag. */
  readonly placeholder?: string;
  /** It can be given several times. */
  readonly multiple?: boolean;
  /** The values that completion offers. */
  readonly values?: readonly string[];
}

/** What a command got: its options by name, and its arguments in order. */
export interface Call {
  readonly terminal: Terminal;
  /** Connects with the stored credential. Commands that need none do not call it. */
  readonly client: () => Client;
  readonly option: (name: string) => string | undefined;
  readonly options: (name: string) => readonly string[];
  readonly flag: (name: string) => boolean;
  readonly argument: string;
}

export interface Command {
  /** One or two words. */
  readonly name: string;
  readonly summary: string;
  /** The placeholder of its only argument. */
  readonly argument?: { readonly placeholder: string; readonly values?: readonly string[] };
  readonly options: Readonly<Record<string, Option>>;
  readonly run: (call: Call) => Promise<void>;
}

/** Options of every command. */
export const commonOptions: Readonly<Record<string, Option>> = {
  'base-url': { placeholder: 'URL', help: 'The service. Default: ATTRIBUTION_BASE_URL, or the last login' },
  json: { help: 'Print JSON instead of a table' },
  help: { help: 'Show the help of the command' },
};
