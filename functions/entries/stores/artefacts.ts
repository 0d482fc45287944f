import { artefactReader, artefactWriter } from '../../attribution/training/models/artefact.store.ts';
import { priceObjectReader } from '../../impact/price/lists/priceObject.store.ts';
import { pricesInForce } from '../../impact/price/lists/pricesInForce.ts';
import type { Environment } from './provider.ts';

export const artefactsRead = (bucket: string, { resourceOf }: Environment) => ({
  artefacts: artefactReader(bucket),
  priceObjects: priceObjectReader(resourceOf('tenants.read'), bucket),
});
/** Without the models, for those who only compare prices. */
export const pricesRead = (bucket: string, { resourceOf, clock }: Environment) => ({
  // A report with other prices than those of the costs would be wrong, so it fails instead.
  loadedPrices: pricesInForce(priceObjectReader(resourceOf('tenants.read'), bucket), {
    clock,
    whenUnreadable: 'fail',
  }),
});
export const artefactsWrite = (bucket: string) => ({
  artefactWriter: artefactWriter(bucket),
});
