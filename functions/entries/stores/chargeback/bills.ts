import { billReader, billWriter } from '../../../chargeback/reconciliation/deliveries/bill.store.ts';
import {
  billSourceReader,
  billSourceWriter,
  importedSources,
} from '../../../chargeback/reconciliation/sources/billSource.store.ts';
import {
  credentialOpener,
  credentialSealer,
} from '../../../chargeback/reconciliation/sources/credential.aws.ts';

export const billsRead = (table: string) => ({ bills: billReader(table) });
export const billsWrite = (table: string) => ({ billWriter: billWriter(table) });
export const billSourcesRead = (table: string) => ({
  billSources: billSourceReader(table),
});
export const billSourcesWrite = (table: string) => ({
  billSourceWriter: billSourceWriter(table),
});
/** The ARN of the role that imports bills. */
export const billRoleName = (importRoleArn: string) => ({ importRoleArn });
export const billCredentialEncrypt = (key: string) => ({
  sealCredential: credentialSealer(key),
});

export const billSourcesImport = (table: string) => ({
  sources: importedSources(table),
});
export const billCredentialDecrypt = (key: string) => ({
  openCredential: credentialOpener(key),
});
