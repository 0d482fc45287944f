import type { Range } from './modelParameters.ts';

/** Defaults of a provider for events that do not name a region. */
export interface DataCentre {
  /** Power usage effectiveness: energy of the building over energy of the machines. */
  readonly pue: Range;
  /** Ember area whose grid is used for an unknown region. */
  readonly defaultArea: string;
}

const fixed = (pue: string): Range => ({ min: pue, max: pue });

/** Range of the values below, for providers that publish no value. */
const UNPUBLISHED: Range = { min: '1.09', max: '1.2' };

/**
 * PUE and default grid as EcoLogits assigns them (doi:10.21105/joss.07471); AWS from its 2024 sustainability report.
 * Providers that state in their terms that they process in China use its grid.
 */
export const DATA_CENTRES: ReadonlyMap<string, DataCentre> = new Map([
  ['openai', { pue: fixed('1.2'), defaultArea: 'USA' }],
  ['azure', { pue: fixed('1.2'), defaultArea: 'USA' }],
  ['anthropic', { pue: { min: '1.09', max: '1.14' }, defaultArea: 'USA' }],
  ['google', { pue: fixed('1.09'), defaultArea: 'USA' }],
  ['cohere', { pue: fixed('1.09'), defaultArea: 'USA' }],
  ['mistral', { pue: fixed('1.16'), defaultArea: 'SWE' }],
  ['aws', { pue: fixed('1.15'), defaultArea: 'USA' }],
  ['deepseek', { pue: UNPUBLISHED, defaultArea: 'CHN' }],
  ['moonshotai', { pue: UNPUBLISHED, defaultArea: 'CHN' }],
  ['zhipuai', { pue: UNPUBLISHED, defaultArea: 'CHN' }],
  ['ovhcloud', { pue: UNPUBLISHED, defaultArea: 'FRA' }],
]);

const HUGGING_FACE: DataCentre = { pue: { min: '1.09', max: '1.14' }, defaultArea: 'USA' };
const ELSEWHERE: DataCentre = { pue: UNPUBLISHED, defaultArea: 'USA' };

/** PUE and default grid of a provider from `modelIdentity`. */
export const dataCentre = (provider: string): DataCentre =>
  DATA_CENTRES.get(provider) ?? (provider.startsWith('huggingface') ? HUGGING_FACE : ELSEWHERE);
