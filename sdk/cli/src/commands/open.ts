import { spawn } from 'node:child_process';
import type { Command } from '../command.ts';
import { baseUrlOf } from '../connection.ts';
import { writeLine } from '../terminal.ts';

/** What opens an address in the browser of the user. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

/** Does not wait for the browser. On a machine without one, the address that is printed remains. */
const openInBrowser = (url: string): void => {
  const [command = 'xdg-open', ...args] = OPENERS[process.platform] ?? [];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
};

export const open: Command = {
  name: 'open',
  summary: 'Open the web console in a browser, and print its address',
  options: { record: { placeholder: 'ID', help: 'The page of this record' } },
  run: async ({ terminal, option }) => {
    const record = option('record');
    const page = record === undefined ? '' : `/records/${encodeURIComponent(record)}`;
    const url = `${baseUrlOf(terminal.env, option('base-url'))}/console${page}`;
    await writeLine(terminal, url);
    if (terminal.stdout.isTTY === true) openInBrowser(url);
  },
};
