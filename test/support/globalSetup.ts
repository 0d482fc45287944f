import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../../bin/build.ts';

/** Builds the function bundles once per test run. The returned function deletes them. */
export default async function buildOnce(project: TestProject): Promise<() => void> {
  const assets = mkdtempSync(join(tmpdir(), 'attribution-assets-'));
  await build(assets);
  project.provide('assets', assets);
  return () => rmSync(assets, { recursive: true, force: true });
}
