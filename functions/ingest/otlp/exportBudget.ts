import { RECORDS_MAXIMUM } from '../../../schemas/platform/limits.ts';
import { postTraces } from '../../../schemas/routes/ingest/otlp.ts';
import { itemsMaximumOf } from '../../../schemas/routes/route.ts';
import { ItemBudget } from '../../platform/shared/itemBudget.ts';

/** What may be read of one export. */
export interface ExportBudget {
  /** Fields of protobuf, or values and names of JSON. */
  readonly items: ItemBudget;
  /** Spans, log records or metrics, and the groups that hold them, empty ones too. */
  readonly records: ItemBudget;
}

export const exportBudget = (): ExportBudget => ({
  items: new ItemBudget(itemsMaximumOf(postTraces.body)),
  records: new ItemBudget(RECORDS_MAXIMUM, 'records'),
});
