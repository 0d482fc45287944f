import { createHash } from 'node:crypto';
import type { SettingsInput } from '../../lib/settings.ts';
import { consoleKey } from './consoleBuild.ts';
import { sourceKey } from './sourceKey.ts';

/** The file in the folder of a template. */
export const TEMPLATE = 'template.json';

/** The names of an assembly in the cache. They change with the sources, and the template also with the settings. */
export interface AssemblyNames {
  readonly bundles: string;
  readonly template: string;
}

export const assemblyNames = (settings: SettingsInput): AssemblyNames => {
  const key = sourceKey();
  const variant = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
  return { bundles: `bundles-${key}-${consoleKey()}`, template: `template-${key}-${variant}` };
};
