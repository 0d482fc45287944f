import { answers } from './answers.ts';
import { applicationTables } from './applicationTables.ts';
import { gatewayTables } from './gatewayTables.ts';
import { observabilityTables } from './observabilityTables.ts';
import type { TableFixture } from './tableFixture.ts';
import { warehouseTables } from './warehouseTables.ts';

export const tables: readonly TableFixture[] = [
  ...warehouseTables,
  ...gatewayTables,
  ...observabilityTables,
  ...applicationTables,
  ...answers,
];
