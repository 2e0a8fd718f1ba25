-- Tags, SKUs, barcodes and options that are sold out are found by searches, but no page shows them in a list.
CREATE FUNCTION searches_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_pages('searches');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER searches_changed AFTER UPDATE ON products FOR EACH ROW WHEN (
  (OLD.is_visible OR NEW.is_visible)
  AND (OLD.tags, OLD.codes, OLD.option_words) IS DISTINCT FROM (NEW.tags, NEW.codes, NEW.option_words)
) EXECUTE FUNCTION searches_changed();
