import { fileReader, fileStore, urlSigner, workStore } from '../../../chargeback/exports/files/file.store.ts';

export const exportsSign = (bucket: string) => ({ sign: urlSigner(bucket) });
export const exportsFetch = (bucket: string) => ({ exportFiles: fileReader(bucket) });
export const exportWorkReadWrite = (bucket: string) => ({ work: workStore(bucket) });
export const exportsDeliver = (bucket: string) => ({ files: fileStore(bucket) });
