import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SettingsInput } from '../../lib/settings.ts';
import { joinTemplates, synthesise } from '../../lib/synthesise.ts';
import { type AssemblyNames, assemblyNames, TEMPLATE } from './assemblyNames.ts';
import { cachedFolder } from './buildCache.ts';
import { bundleForThisMachine } from './bundle.ts';
import { addConsole, cachedConsole } from './consoleBuild.ts';

/**
 * Builds what is missing in the cache: the bundles, and the template for these settings. Rejects with the errors of Vite,
 * esbuild and CDK, and with a ZodError for an invalid setting.
 */
export const buildAssembly = async (settings: SettingsInput): Promise<AssemblyNames> => {
  const names = assemblyNames(settings);
  const requireUnchanged = (): void => {
    if (assemblyNames(settings).bundles !== names.bundles) {
      throw new Error('A source file changed during the build. Start again.');
    }
  };
  const builtConsole = await cachedConsole();
  const assets = await cachedFolder(names.bundles, async (folder) => {
    await bundleForThisMachine(folder);
    addConsole(builtConsole, folder);
    requireUnchanged();
  });
  await cachedFolder(names.template, async (folder) => {
    const outdir = join(folder, 'cdk.out');
    // The validation takes seconds. `npm run synth` runs it.
    process.env['CDK_VALIDATION'] = 'false';
    const template = joinTemplates(synthesise(settings, outdir, assets));
    requireUnchanged();
    rmSync(outdir, { recursive: true, force: true });
    writeFileSync(join(folder, TEMPLATE), JSON.stringify(template));
  });
  return names;
};
