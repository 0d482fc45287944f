import { mkdtempSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, DuckDBScalarFunction, VARCHAR } from '@duckdb/node-api';
import * as z from 'zod';
import { csvFunctions, csvMacros } from '../files/csv.ts';
import { focusFunctions } from '../focus/cells.ts';
import { literal, type Sql } from './sql.ts';

/** A connection of one step, with temporary tables and a folder of its own. */
export interface Database {
  readonly connection: DuckDBConnection;
  /** The path of a file in the folder. */
  readonly path: (name: string) => string;
  readonly run: (sql: Sql) => Promise<void>;
  /** The rows of a query. Decimals and 64-bit integers are text. An integer of more bits would be rounded: cast it. */
  readonly rows: <Shape extends z.ZodType>(sql: Sql, shape: Shape) => Promise<z.output<Shape>[]>;
}

/**
 * Settings of the database. One thread, so that the same lines always give the same bytes: a function has little more than one
 * core. The rest of its memory is for the reader of the ledger, and for uploads.
 */
const SETTINGS = {
  threads: '1',
  memory_limit: '768MB',
  // It would return the content of an earlier file for a new one at the same path.
  enable_external_file_cache: 'false',
  // A join keeps the order of its left side, which is read past the right side in memory.
  disabled_optimizers: 'join_order,build_side_probe_side',
  // An extension would be downloaded and run.
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/**
 * A function of texts that SQL can call. It is not called for null. The text is passed behind a character, because the
 * binding drops a byte order mark at the start of a text.
 */
const registerTextFunction = async (
  connection: DuckDBConnection,
  name: string,
  change: (text: string) => string,
): Promise<void> => {
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: `${name}_behind`,
      returnType: VARCHAR,
      parameterTypes: [VARCHAR],
      mainFunction: (_info, input, output) => {
        const texts = input.getColumnVector(0);
        for (let row = 0; row < input.rowCount; row += 1)
          output.setItem(row, change(String(texts.getItem(row)).slice(1)));
        output.flush();
      },
    }),
  );
  await connection.run(`CREATE MACRO ${name}(text) AS ${name}_behind('.' || text)`);
};

/** Opens the database of this process. It reads and writes files in its folder only. */
const open = async (): Promise<{ readonly instance: DuckDBInstance; readonly folder: string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'));
  const instance = await DuckDBInstance.create(':memory:', {
    ...SETTINGS,
    temp_directory: join(folder, 'spilled'),
  });
  const connection = await instance.connect();
  for (const [name, change] of Object.entries({ ...csvFunctions, ...focusFunctions }))
    await registerTextFunction(connection, name, change);
  for (const macro of csvMacros) await connection.run(macro);
  await connection.run(`SET allowed_directories = [${literal(`${folder}/`)}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run("SET GLOBAL TimeZone = 'UTC'");
  await connection.run('SET lock_configuration = true');
  connection.closeSync();
  return { instance, folder };
};

let opened: ReturnType<typeof open> | undefined;

/**
 * Runs a step with a connection and a folder of its own, which end with the step. The database itself stays open for the next
 * step of this process, because opening it takes longer than a small step.
 */
export const withDatabase = async <Result>(
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  opened ??= open().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  const { instance, folder: parent } = await opened;
  const folder = await mkdtemp(join(parent, 'step-'));
  try {
    const connection = await instance.connect();
    try {
      const run = async (sql: Sql): Promise<void> => void (await connection.run(sql));
      const rows: Database['rows'] = async (sql, shape) =>
        z.array(shape).parse((await connection.runAndReadAll(sql)).getRowObjectsJson());
      return await work({ connection, path: (name) => join(folder, name), run, rows });
    } finally {
      connection.closeSync();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
