/** A separate module, loaded when English is first read; the package bundles it as one file instead of forty. */
export { default } from "wink-nlp";
