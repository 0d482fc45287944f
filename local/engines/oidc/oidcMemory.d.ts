/** The library's own store in memory, which its type package leaves out. Named directly, it comes without a warning. */
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { AdapterFactory } from 'oidc-provider';
  export function createMemoryAdapter(clockToleranceSeconds?: number): AdapterFactory;
}
