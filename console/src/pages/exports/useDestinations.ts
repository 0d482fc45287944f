import { listExportDestinations } from '../../../../sdk/typescript/src/operations.ts';
import { useList } from '../../api/useRead.ts';

/** The destinations of exports, read again while one is checked. */
export const useDestinations = () =>
  useList(
    ['export-destinations'],
    (client, cursor, options) => listExportDestinations(client, cursor, options),
    (rows) => rows.some(({ check }) => check.state === 'checking'),
  );
