import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import * as zlib from 'node:zlib';
import { claudeCodeReader } from './claudeCode.ts';
import { codexReader } from './codex.ts';
import { geminiReader } from './gemini.ts';
import { distinctCalls, type Json } from './localCall.ts';
import { qwenCodeReader } from './qwenCode.ts';
import type { SessionReader } from './sessionReader.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const homeOf = (env: Environment): string => env['HOME'] || homedir();
const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((folder) => folder.trim())
    .filter((folder) => folder !== '');
const orDefault = (folders: readonly string[], defaults: readonly string[]): readonly string[] =>
  folders.length > 0 ? folders : defaults;

/** A coding agent that keeps its sessions in files. */
export interface Agent {
  readonly name: string;
  readonly title: string;
  readonly reader: SessionReader;
  /** Where its sessions are. */
  readonly folders: (env: Environment) => readonly string[];
}

export const claudeCode: Agent = {
  name: 'claude-code',
  title: 'Claude Code',
  reader: claudeCodeReader,
  folders: (env) =>
    orDefault(listOf(env['CLAUDE_CONFIG_DIR']), [
      join(env['XDG_CONFIG_HOME'] || join(homeOf(env), '.config'), 'claude'),
      join(homeOf(env), '.claude'),
    ]).map((folder) => (basename(folder) === 'projects' ? folder : join(folder, 'projects'))),
};

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  reader: codexReader,
  folders: (env) =>
    orDefault(listOf(env['CODEX_HOME']), [join(homeOf(env), '.codex')]).flatMap((home) => [
      join(home, 'sessions'),
      join(home, 'archived_sessions'),
    ]),
};

export const gemini: Agent = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  reader: geminiReader,
  folders: (env) => [join(homeOf(env), '.gemini', 'tmp')],
};

export const qwenCode: Agent = {
  name: 'qwen-code',
  title: 'Qwen Code',
  reader: qwenCodeReader,
  folders: (env) =>
    orDefault(listOf(env['QWEN_RUNTIME_DIR']), [join(homeOf(env), '.qwen')]).map((folder) =>
      join(folder, 'projects'),
    ),
};

const COMPRESSED = '.jsonl.zst';
const SESSION_FILE = /\.(?:jsonl|json|jsonl\.zst)$/;

/** Session files below folders, in one order. */
export const findSessionFiles = (folders: readonly string[]): string[] =>
  folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => SESSION_FILE.test(file))
    .toSorted();

async function* linesOf(file: string): AsyncGenerator<string> {
  // A session of the older form of Gemini CLI is one document with line breaks.
  if (file.endsWith('.json')) {
    yield readFileSync(file, 'utf8');
    return;
  }
  const bytes = createReadStream(file);
  const input = file.endsWith(COMPRESSED) ? bytes.pipe(zlib.createZstdDecompress()) : bytes;
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

/** Null for a line that is cut off or no object. */
const parsed = (line: string): Json | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object(value) : null;
  } catch {
    return null;
  }
};

/** Reads all calls of session files. `repeated`: lines that tell of a call again. `unread`: files that cannot be read. */
export const readSessions = async ({ reader }: Agent, files: readonly string[], now: number) => {
  const { isRead, take, finish } = reader(now);
  let repeated = 0;
  const unread: string[] = [];
  for (const file of files) {
    try {
      for await (const line of linesOf(file)) {
        const entry = isRead(line) ? parsed(line) : null;
        if (entry !== null && take(entry, file)) repeated += 1;
      }
    } catch {
      unread.push(file);
    }
  }
  const calls = finish();
  const distinct = distinctCalls(calls);
  return { calls: distinct, repeated: repeated + calls.length - distinct.length, unread };
};
