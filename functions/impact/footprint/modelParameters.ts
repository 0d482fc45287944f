import { memoize, memoKey } from '../../shared/memoize.ts';
import type { Modality } from '../modality.ts';
import { closedModels } from './closedModels.ts';
import { openModels } from './openModels.ts';
import { EMBEDDING_CLASS, sizeClass } from './sizeClasses.ts';

/** Version of the parameter tables: name it anew with every change of a figure. */
export const PARAMETERS_VERSION = 'parameters-2026.11';

/** From least to most, as decimal strings; equal where known. Billions of parameters. */
export interface Range {
  readonly min: string;
  readonly max: string;
}

export interface ModelSize {
  /** All weights: what has to fit in GPU memory. */
  readonly total: Range;
  /** Weights used per token; fewer than all in a mixture of experts. */
  readonly active: Range;
}

/** How the size is known: B published weights, C published estimate for a closed model, D size class only. */
export interface ModelParameters extends ModelSize {
  readonly class: 'B' | 'C' | 'D';
}

/** The name of a model wherever it is hosted: without the host's folders, vendor and routing prefixes. */
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
  if (modality === 'embedding') return { ...EMBEDDING_CLASS, class: 'D' };
  const closed = closedModels.find(([pattern]) => pattern.test(name));
  if (closed !== undefined) return { ...closed[1], class: 'C' };
  const size = sizeClass(name);
  return size === null ? null : { ...size, class: 'D' };
});

/** Parameter counts of a model by its id from `modelIdentity`, or null where not even its size class is known. */
export const modelParameters = (model: string, modality: Modality): ModelParameters | null =>
  parametersFor(memoKey(modality, model));
