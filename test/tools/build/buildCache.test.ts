import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cachedFolder, lookUp } from '../../../tools/build/buildCache.ts';
import { consoleKey } from '../../../tools/build/consoleBuild.ts';
import { sourceKey } from '../../../tools/build/sourceKey.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

let cache: string;
let builds: number;
const produce = async (folder: string): Promise<void> => {
  builds += 1;
  writeFileSync(join(folder, 'result'), String(builds));
};

beforeEach(() => {
  cache = temporaryDirectory();
  builds = 0;
});
afterEach(() => rmSync(cache, { recursive: true }));

describe('cachedFolder', () => {
  it('builds an entry once and returns it afterwards', async () => {
    const built = await cachedFolder('one', produce, cache);
    const again = await cachedFolder('one', produce, cache);

    expect([again, builds, readFileSync(join(built, 'result'), 'utf8')]).toEqual([built, 1, '1']);
  });

  it('builds once when two callers need an entry at the same time', async () => {
    await Promise.all([cachedFolder('one', produce, cache), cachedFolder('one', produce, cache)]);

    expect(builds).toBe(1);
  });

  it('builds once when two processes need an entry at the same time', async () => {
    const log = join(cache, 'log');
    const program = `import { appendFileSync } from 'node:fs';
      import { cachedFolder } from ${JSON.stringify(join(import.meta.dirname, '../../../tools/build/buildCache.ts'))};
      await cachedFolder('one', async () => {
        appendFileSync(${JSON.stringify(log)}, 'built ');
        await new Promise((done) => setTimeout(done, 300));
      }, ${JSON.stringify(cache)});`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);

    await Promise.all([run(), run()]);

    expect(readFileSync(log, 'utf8')).toBe('built ');
  });

  it('leaves no entry when a build fails, and builds again afterwards', async () => {
    const failing = async (folder: string) => {
      await produce(folder);
      throw new Error('does not compile');
    };

    await expect(cachedFolder('one', failing, cache)).rejects.toThrow('does not compile');
    expect(lookUp('one', cache)).toBe(null);
    await cachedFolder('one', produce, cache);

    expect(builds).toBe(2);
  });

  it('deletes entries that are not among the 20 newest and unused for a day', async () => {
    const entry = (name: string, ageHours: number) => {
      const usedAt = new Date(Date.now() - ageHours * 3_600_000);
      mkdirSync(join(cache, name));
      utimesSync(join(cache, name), usedAt, usedAt);
    };
    for (let index = 0; index < 19; index += 1) entry(`recent-${index}`, 30);
    entry('old', 40);
    entry('very old', 50);

    await cachedFolder('new', produce, cache);

    const names = readdirSync(cache);
    expect(names).toEqual(expect.arrayContaining(['new', 'recent-0', 'recent-18']));
    expect(names).not.toContain('old');
    expect(names).not.toContain('very old');
  });
});

const write = (path: string, content: string) => {
  mkdirSync(join(cache, path, '..'), { recursive: true });
  writeFileSync(join(cache, path), content);
};

describe('consoleKey', () => {
  it.each([
    'console/src/App.tsx',
    'sdk/shared/decimal.ts',
    'sdk/typescript/src/client.ts',
    'package-lock.json',
  ])('changes with %s', (path) => {
    const before = consoleKey(cache);

    write(path, 'changed');

    expect(consoleKey(cache)).not.toBe(before);
  });
});

describe('sourceKey', () => {
  beforeEach(() => {
    write('functions/one.ts', 'one');
    write('package-lock.json', '{}');
  });

  it('does not depend on modification times or other files', () => {
    const before = sourceKey(cache);
    utimesSync(join(cache, 'functions/one.ts'), new Date(0), new Date(0));
    write('local/engine.ts', 'engine');

    expect(sourceKey(cache)).toBe(before);
  });

  it.each([
    ['the content of a source', 'functions/one.ts'],
    ['a new source', 'schemas/two.ts'],
    ['a stack', 'lib/stacks/dataStack.ts'],
    ['the build options', 'tools/build/bundle.ts'],
    ['the lock file', 'package-lock.json'],
    ['the installed packages', 'node_modules/.package-lock.json'],
  ])('changes with %s', (_, path) => {
    const before = sourceKey(cache);
    expect(existsSync(join(cache, 'functions/one.ts'))).toBe(true);

    write(path, 'changed');

    expect(sourceKey(cache)).not.toBe(before);
  });

  // Root may write everywhere, so another user tries.
  it.runIf(process.getuid?.() === 0)(
    'serves a user who may read the folder only, and says what to do without an entry',
    async () => {
      // Only its owner may enter the directory of a test run.
      const shared = mkdtempSync('/tmp/build-cache-');
      const path = await cachedFolder('one', produce, shared);
      const program = `import { cachedFolder, lookUp } from '${resolve('tools/build/buildCache.ts')}';
      console.log(lookUp('one', '${shared}'));
      await cachedFolder('two', async () => undefined, '${shared}').catch(({ message }) => console.log(message));`;
      const script = join(shared, 'main.ts');
      writeFileSync(script, program);
      // Another test of this process may have changed the file mode of new files.
      for (const readable of [shared, path, script]) chmodSync(readable, 0o755);

      const { stdout } = await promisify(execFile)(process.execPath, [script], { uid: 65_534 });

      expect(stdout.split('\n').slice(0, 1)).toEqual([path]);
      expect(stdout).toContain('Run npm ci as the owner');
      rmSync(shared, { recursive: true });
    },
  );
});
