import type { Range } from './modelSize.ts';

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

/**
 * PUE of cloud regions, by provider and region, as their providers publish it: AWS 2024
 * (https://sustainability.aboutamazon.com/products-services/aws-cloud), Azure 2023
 * (https://datacenters.microsoft.com/sustainability/efficiency), Google 2024
 * (https://datacenters.google/efficiency). Other regions have the value of their provider.
 */
export const PUE_OF_REGION: ReadonlyMap<string, string> = new Map([
  ['aws us-east-1', '1.15'],
  ['aws us-west-2', '1.12'],
  ['aws ca-central-1', '1.19'],
  ['aws eu-west-1', '1.11'],
  ['aws eu-central-1', '1.35'],
  ['aws eu-north-1', '1.1'],
  ['aws ap-south-1', '1.42'],
  ['aws ap-southeast-2', '1.16'],
  ['azure swedencentral', '1.16'],
  ['azure southeastasia', '1.34'],
  ['google us-central1', '1.1'],
  ['google europe-west4', '1.07'],
]);

const HUGGING_FACE: DataCentre = { pue: { min: '1.09', max: '1.14' }, defaultArea: 'USA' };
const ELSEWHERE: DataCentre = { pue: UNPUBLISHED, defaultArea: 'USA' };

/** PUE and default grid of a provider from `modelIdentity`. */
export const dataCentre = (provider: string): DataCentre =>
  DATA_CENTRES.get(provider) ?? (provider.startsWith('huggingface') ? HUGGING_FACE : ELSEWHERE);

/** PUE of the region that served a call if it is published, else of its provider. */
export const pueOf = (provider: string, region: string | null): Range => {
  const published = PUE_OF_REGION.get(`${provider} ${region}`);
  return published === undefined ? dataCentre(provider).pue : fixed(published);
};
