-- The brand of products without one is their shop's name, and must follow it: pages show a brand that differs.
CREATE OR REPLACE FUNCTION seller_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  seller sellers := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.shop_name, OLD.is_hidden) IS DISTINCT FROM (NEW.shop_name, NEW.is_hidden) THEN
    UPDATE products SET
      shop_name = NEW.shop_name,
      is_shop_hidden = NEW.is_hidden,
      brand = CASE WHEN brand = OLD.shop_name THEN NEW.shop_name ELSE brand END
    WHERE seller_id = NEW.id;
  END IF;
  PERFORM tell_pages('seller:' || seller.id);
  PERFORM tell_pages('stores');
  PERFORM tell_pages('home');
  -- A new row has no OLD, a deleted one no NEW: their columns are null.
  IF coalesce(OLD.banner, NEW.banner) IS NOT NULL AND (OLD.banner, OLD.is_verified, OLD.rating, OLD.is_hidden) IS DISTINCT FROM (NEW.banner, NEW.is_verified, NEW.rating, NEW.is_hidden) THEN
    PERFORM tell_pages('banners');
  END IF;
  IF TG_OP <> 'UPDATE' OR (OLD.shipping_rates, OLD.is_hidden) IS DISTINCT FROM (NEW.shipping_rates, NEW.is_hidden) THEN
    PERFORM tell_pages('destinations');
  END IF;
  RETURN NULL;
END $$;
