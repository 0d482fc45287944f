import { artefactReader, artefactWriter } from '../../attribution/training/models/artefact.store.ts';

export const artefactsRead = (bucket: string) => ({ artefacts: artefactReader(bucket) });
export const artefactsWrite = (bucket: string) => ({
  artefactWriter: artefactWriter(bucket),
});
