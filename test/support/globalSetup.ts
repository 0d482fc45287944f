import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../../bin/build.ts';

/** Bundles the functions once for all tests that run them. */
export default async function buildOnce(project: TestProject): Promise<() => void> {
  const assets = mkdtempSync(join(tmpdir(), 'attribution-assets-'));
  await build(assets);
  project.provide('assets', assets);
  return () => rmSync(assets, { recursive: true, force: true });
}
