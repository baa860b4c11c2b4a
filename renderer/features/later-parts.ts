/** What a window shows only when its user asks for it: one script, which is loaded after the first rows. */
export { ComparisonView } from './compare/comparison-view.tsx';
export { ConnectionsView } from './connections/connections-view.tsx';
export { Inspector } from './inspector/inspector.tsx';
export { PanelDialog } from './panel-dialog.tsx';
