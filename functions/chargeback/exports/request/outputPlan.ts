import type { ExportRequest, FileFormat, FocusVersion } from '../../../../schemas/chargeback/focus.ts';
import { type CsvColumn, csvRow, type Row } from '../files/csv.ts';
import type { Limits } from '../files/fileRanges.ts';
import { parquetRow } from '../files/parquet.ts';
import { type Biller, cellsOf, EMPTY } from '../focus/cells.ts';
import { type Column, selectColumns } from '../focus/columns.ts';
import { importerColumns, importerProfiles } from '../focus/importer.ts';
import type { Grain } from '../focus/shownDimensions.ts';
import type { AdmissionPolicy } from './admissionPolicy.ts';

/** Everything that determines the contents of an export's files. */
export interface OutputPlan extends Row {
  readonly version: FocusVersion;
  readonly grain: Grain;
  readonly admission: AdmissionPolicy;
  readonly biller: Biller;
  /** FOCUS columns. For an importer, the source columns of its own columns. */
  readonly columns: readonly Column[];
  /** Column names in the files. */
  readonly headers: readonly string[];
  readonly format: FileFormat;
  readonly limits: Limits;
}

/** About half of what a spreadsheet can open. */
const ROWS_PER_FILE = 500_000;

/** Builds the output plan of a request. Throws a RangeError on a column that the FOCUS version does not have. */
export const buildOutputPlan = (
  request: ExportRequest,
  by: {
    readonly tenant: { readonly tenant_id: string; readonly name: string };
    readonly lane: string | null;
    readonly issuer: string;
  },
): OutputPlan => {
  const { cost_mode: mode, granularity, group_by, tags = [], file_format: format, importer } = request;
  const biller = { mode, tenantId: by.tenant.tenant_id, tenantName: by.tenant.name, issuer: by.issuer };
  const selected =
    importer === undefined
      ? selectColumns(request.focus_version, request.columns).map((column) => ({
          header: column.name,
          column,
        }))
      : importerColumns(importer, tags);
  const columns = selected.map(({ column }) => column);
  const profile = importer === undefined ? null : importerProfiles[importer];
  const version = profile?.version ?? request.focus_version;
  const cells = cellsOf(columns, biller, version);
  const csv = selected.map(
    ({ column: { type }, ...rest }, index): CsvColumn => ({
      ...rest,
      type,
      ...(cells[index] ?? EMPTY),
    }),
  );
  // An importer is a program that needs the original text.
  const consumer = importer === undefined ? (request.consumer ?? 'spreadsheet') : 'program';
  return {
    version,
    grain: { granularity, groupBy: new Set([...group_by, ...tags.map((key) => `tag:${key}` as const)]) },
    admission: { lane: by.lane },
    biller,
    // Several columns of an importer can have one source.
    columns: [...new Set(columns)],
    headers: csv.map(({ header }) => header),
    format,
    limits: profile?.limits ?? { rows: ROWS_PER_FILE },
    ...(format === 'parquet' ? parquetRow(columns, cells) : csvRow(csv, consumer)),
  };
};
