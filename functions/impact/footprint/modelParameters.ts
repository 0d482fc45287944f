import { memoize, memoKey } from '../../platform/shared/caches/memoize.ts';
import type { Modality } from '../usage/modality.ts';
import { closedModels } from './closedModels.ts';
import type { ModelSize } from './modelSize.ts';
import { openModels } from './openModels.ts';
import { countedSize, EMBEDDING_CLASS, sizeClass } from './sizeClasses.ts';

/** Version of the parameter tables: change it with every edit of a figure. */
export const PARAMETERS_VERSION = 'parameters-2026.11-9';

/** How the size is known: B published weights, C published estimate for a closed model, D size class only. */
export interface ModelParameters extends ModelSize {
  readonly class: 'B' | 'C' | 'D';
}

/** The model name without hosting path, vendor prefix and routing prefix. */
const modelName = (model: string): string =>
  model
    .slice(model.lastIndexOf('/') + 1)
    .replace(/^(?:[a-z-]+\.){1,2}(?=[a-z])/, '')
    .replace(/^ft:([^:]+):.*$/, '$1');

const parametersFor = memoize((key): ModelParameters | null => {
  const [modality = '', model = ''] = key.split('\u0000');
  const name = modelName(model);
  const open = openModels.find(([pattern]) => pattern.test(name));
  if (open !== undefined) return { ...open[1], class: 'B' };
  if (modality === 'embedding') return { ...(countedSize(name) ?? EMBEDDING_CLASS), class: 'D' };
  const closed = closedModels.find(([pattern]) => pattern.test(name));
  if (closed !== undefined) return { ...closed[1], class: 'C' };
  const size = sizeClass(name);
  return size === null ? null : { ...size, class: 'D' };
});

/** Parameter counts of a model by its id from `modelIdentity`, or null if its size class is also unknown. */
export const modelParameters = (model: string, modality: Modality): ModelParameters | null =>
  parametersFor(memoKey(modality, model));

/** Parameter counts that are published or part of the name of a model, else null. */
export const statedSize = (model: string): ModelSize | null => {
  const name = modelName(model);
  return openModels.find(([pattern]) => pattern.test(name))?.[1] ?? countedSize(name);
};
