import type { ExportRequest, FocusVersion } from '../../../../schemas/chargeback/focus.ts';
import { csvEncoder } from '../files/csv.ts';
import type { Layout } from '../files/files.ts';
import { parquetEncoder } from '../files/parquet.ts';
import type { Biller } from '../focus/cells.ts';
import { type Column, selectColumns } from '../focus/columns.ts';
import { importerColumns, importerProfiles } from '../focus/importer.ts';
import type { Grain } from '../focus/shownDimensions.ts';
import type { AdmissionPolicy } from './admissionPolicy.ts';

/** Everything that determines the contents of an export's files. */
export interface OutputPlan {
  readonly version: FocusVersion;
  readonly grain: Grain;
  readonly admission: AdmissionPolicy;
  readonly biller: Biller;
  /** FOCUS columns. For an importer, the source columns of its own columns. */
  readonly columns: readonly Column[];
  readonly layout: Layout;
  /** Column names in the files. */
  readonly headers: readonly string[];
}

/** Rows encoded at a time. A Parquet row group is larger than a batch of CSV needs to be. */
const BATCH_ROWS = { parquet: 20_000, csv: 500 } as const;

/** About half of what a spreadsheet can open. */
const ROWS_PER_FILE = 500_000;

/**
 * Builds the output plan of a request. `split` includes unattributed records, split by recipient, and only has an effect in
 * a showback. Throws a RangeError on a column that the FOCUS version does not have.
 */
export const buildOutputPlan = (
  request: ExportRequest,
  by: {
    readonly tenant: { readonly tenant_id: string; readonly name: string };
    readonly lane: string | null;
    readonly issuer: string;
    readonly split?: boolean;
  },
): OutputPlan => {
  const {
    cost_mode: mode,
    granularity,
    group_by,
    file_format: format,
    importer,
    consumer = 'spreadsheet',
  } = request;
  const shared = {
    grain: { granularity, groupBy: new Set(group_by) },
    admission: { lane: by.lane, split: by.split === true && mode === 'showback' },
    biller: { mode, tenantId: by.tenant.tenant_id, tenantName: by.tenant.name, issuer: by.issuer },
  };
  const compressed = format === 'csv.gz';
  if (importer !== undefined) {
    const { columns, csv } = importerColumns(importer);
    const { version, limits } = importerProfiles[importer];
    const layout = { encoder: () => csvEncoder(csv, 'program'), compressed, limits, batch: BATCH_ROWS.csv };
    return { ...shared, version, columns, layout, headers: csv.map(({ header }) => header) };
  }
  const version = request.focus_version;
  const columns = selectColumns(version, request.columns);
  const csv = columns.map(({ name, type }) => ({ header: name, type }));
  return {
    ...shared,
    version,
    columns,
    layout: {
      encoder: format === 'parquet' ? () => parquetEncoder(columns) : () => csvEncoder(csv, consumer),
      compressed,
      limits: { rows: ROWS_PER_FILE },
      batch: format === 'parquet' ? BATCH_ROWS.parquet : BATCH_ROWS.csv,
    },
    headers: csv.map(({ header }) => header),
  };
};
