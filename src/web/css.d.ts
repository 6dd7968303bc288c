/** A style sheet as text. */
declare module "*.css?inline" {
  const style: string;
  export default style;
}
