import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { cachedFolder } from './buildCache.ts';

const LOCK_FILE = resolve(import.meta.dirname, '../../package-lock.json');
const run = promisify(execFile);

const PackageLock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), integrity: z.string().optional() }),
  ),
});
const Metafile = z.object({
  outputs: z.record(
    z.string(),
    z.object({ imports: z.array(z.object({ path: z.string(), external: z.boolean().optional() })) }),
  ),
});

/** The native packages of the machines that run the functions: Linux with glibc on ARM. npm installs those of this machine. */
const NATIVE_PACKAGE = /^(?:@[^/]+\/)?[^/]+-linux-arm64(?=\/)/;

/** The native packages that a bundle loads. */
export const nativePackagesOf = (metafile: string): string[] => {
  const { outputs } = Metafile.parse(JSON.parse(metafile));
  const imported = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external),
  );
  return [...new Set(imported.flatMap(({ path }) => NATIVE_PACKAGE.exec(path) ?? []))];
};

/**
 * The folder of a native package, from the cache. npm downloads it in the version and with the digest that package-lock.json
 * names. Rejects when it has other bytes.
 */
const cachedNativePackage = (name: string): Promise<string> => {
  const { packages } = PackageLock.parse(JSON.parse(readFileSync(LOCK_FILE, 'utf8')));
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  return cachedFolder(`native-${name.replaceAll('/', '-')}-${version}`, async (folder) => {
    await run('npm', ['pack', `${name}@${version}`, '--pack-destination', folder, '--silent']);
    for (const file of globSync('*.tgz', { cwd: folder })) {
      const archive = join(folder, file);
      const digest = createHash('sha512').update(readFileSync(archive)).digest('base64');
      if (`sha512-${digest}` !== integrity)
        throw new Error(`${name} has not the digest of package-lock.json.`);
      await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
      rmSync(archive);
    }
  });
};

/** The folders of the native packages that bundles load, by the name of the bundle and of the package. */
export const cachedNativePackages = async (bundles: string) => {
  const found: { readonly bundle: string; readonly name: string; readonly folder: string }[] = [];
  for (const file of globSync('*.meta.json', { cwd: bundles })) {
    const bundle = file.slice(0, -'.meta.json'.length);
    for (const name of nativePackagesOf(readFileSync(join(bundles, file), 'utf8')))
      found.push({ bundle, name, folder: await cachedNativePackage(name) });
  }
  return found;
};

/** Puts native packages beside the bundles that load them. */
export const addNativePackages = (
  packages: Awaited<ReturnType<typeof cachedNativePackages>>,
  bundles: string,
): void => {
  for (const { bundle, name, folder } of packages)
    cpSync(folder, join(bundles, bundle, 'node_modules', name), { recursive: true });
};
