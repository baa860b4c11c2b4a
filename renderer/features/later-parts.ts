/** What a window shows only on request: one script, loaded after the first rows. */
export { ComparisonView } from './compare/comparison-view.tsx';
export { ConnectionsView } from './connections/connections-view.tsx';
export { Inspector } from './inspector/inspector.tsx';
export { PanelDialog } from './panel-dialog.tsx';
